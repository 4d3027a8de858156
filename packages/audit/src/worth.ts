import { Answer } from './rpc/answer.ts';

const method = 'primeorders_getAccount';

/**
 * Wei that an account of the order book stands for, from what a node answers to primeorders_getAccount. What a position was bought for is not in its owner's
 * collateral any more, but in that of who sold: over all accounts the sum is what is in escrow, less insurance and queues.
 *
 * @throws AuditError `AUDIT_ANSWER_UNREADABLE`
 */
export function worthOf(account: unknown): bigint {
  const book = new Answer(method, account);
  let worth = book.field('collateral').quantity();
  for (const position of book.field('positions').list()) {
    const entry = position.field('entry').quantity();
    worth += position.field('size').quantity() < 0n ? entry : -entry;
  }
  return worth;
}
