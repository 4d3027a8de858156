/**
 * How many rows a table has room for before it grows for the first time, of so many as are usual for it. Tests give less and more, because nothing that is
 * stored or answered may depend on it.
 */
export type FirstRoom = (usual: number) => number;

/** Room for just as many rows as are usual: what a node runs with. */
export const usualRoom: FirstRoom = (usual) => usual;

/** Base of a class whose fields are made with room: they can not see an argument of its constructor. */
export abstract class WithFirstRoom {
  readonly firstRoom: FirstRoom;

  constructor(firstRoom: FirstRoom) {
    this.firstRoom = firstRoom;
  }
}
