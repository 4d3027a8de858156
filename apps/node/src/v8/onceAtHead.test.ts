import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { onceAtHead } from './onceAtHead.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('is done once, when the node was at the head for the whole time', () => {
  const work = jest.fn();
  const settling = onceAtHead(work, 1_000);
  settling.onCommit(2);
  jest.advanceTimersByTime(5_000);
  settling.onCommit(0);
  jest.advanceTimersByTime(900);
  settling.onCommit(0);
  jest.advanceTimersByTime(99);
  expect(work).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1);
  expect(work).toHaveBeenCalledTimes(1);
  settling.onCommit(0);
  jest.advanceTimersByTime(5_000);
  expect(work).toHaveBeenCalledTimes(1);
});

it('begins anew when blocks are missing again', () => {
  const work = jest.fn();
  const settling = onceAtHead(work, 1_000);
  settling.onCommit(0);
  jest.advanceTimersByTime(900);
  settling.onCommit(3);
  jest.advanceTimersByTime(5_000);
  expect(work).not.toHaveBeenCalled();
  settling.onCommit(0);
  jest.advanceTimersByTime(1_000);
  expect(work).toHaveBeenCalledTimes(1);
});

it('is not done once it is closed', () => {
  const work = jest.fn();
  const settling = onceAtHead(work, 1_000);
  settling.onCommit(0);
  expect(jest.getTimerCount()).toBe(1);
  settling.close();
  expect(jest.getTimerCount()).toBe(0);
  settling.onCommit(0);
  jest.advanceTimersByTime(5_000);
  expect(work).not.toHaveBeenCalled();
});

it('keeps no thread alive', () => {
  jest.useRealTimers();
  // Timers that keep a thread alive, and no others.
  const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  const settling = onceAtHead(() => undefined);
  settling.onCommit(0);
  expect(timers()).toBe(before);
  settling.close();
});
