import { h } from "../dom";
import type { RoomView } from "../parts/frame";

export function properties(): RoomView {
  return { element: h("div", { class: "room" }), leave: () => undefined };
}
