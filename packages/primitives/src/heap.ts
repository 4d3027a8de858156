/** Binary heap; the smallest by `compare` is on top. Total orders only, so that its answers do not depend on its history. */
export interface Heap<T> {
  readonly size: number;
  push(item: T): void;
  /** @returns undefined when empty */
  peek(): T | undefined;
  pop(): T | undefined;
}

/** @param items taken over as the storage, ordered in linear time */
export function createHeap<T>(compare: (a: T, b: T) => number, items: T[] = []): Heap<T> {
  const siftDown = (start: number): void => {
    const item = items[start]!;
    let place = start;
    for (let child = 2 * place + 1; child < items.length; child = 2 * place + 1) {
      if (child + 1 < items.length && compare(items[child + 1]!, items[child]!) < 0) child++;
      if (compare(items[child]!, item) >= 0) break;
      items[place] = items[child]!;
      place = child;
    }
    items[place] = item;
  };
  for (let index = (items.length >> 1) - 1; index >= 0; index--) siftDown(index);
  return {
    get size() {
      return items.length;
    },
    push(item) {
      let place = items.length;
      items.push(item);
      while (place > 0) {
        const parent = (place - 1) >> 1;
        if (compare(items[parent]!, item) <= 0) break;
        items[place] = items[parent]!;
        place = parent;
      }
      items[place] = item;
    },
    peek: () => items[0],
    pop() {
      const top = items[0];
      const last = items.pop();
      if (items.length > 0) {
        items[0] = last!;
        siftDown(0);
      }
      return top;
    },
  };
}
