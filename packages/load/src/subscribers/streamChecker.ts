/** What a notification tells. */
export type StreamResult = Readonly<Record<string, unknown>>;

/** Checks the messages of one subscription against each other. */
export interface StreamChecker {
  /** @returns what is wrong, in words; empty when nothing is */
  take(message: StreamResult): string[];
  /** Whether what it keeps is of no use any more, so that the reader has to subscribe again. */
  readonly isLost: boolean;
}

const quantityPattern = /^0x(0|[1-9a-f][0-9a-f]*)$/;

/** Whether it is a JSON-RPC quantity: hex without leading zeros. */
export const isQuantity = (value: unknown): value is string => typeof value === 'string' && quantityPattern.test(value);
