import { h } from "../dom";
import type { RoomView } from "../parts/frame";

export function metric(): RoomView {
  return { element: h("div", { class: "room" }), leave: () => undefined };
}
