import { h } from "../dom";
import type { RoomView } from "../parts/frame";

export function runs(): RoomView {
  return { element: h("div", { class: "room" }), leave: () => undefined };
}
