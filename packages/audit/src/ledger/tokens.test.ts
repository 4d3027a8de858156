import { describe, expect, it } from '@jest/globals';
import { bytesToHash, type Hash, hexToBytes } from '@prime/primitives';
import { addressOf, blockOf, hashOf, transactionOf } from '../testing/blocks.ts';
import { TokenLedger } from './tokens.ts';

const [token, alice, bob, nobody] = ['70', 'a1', 'b2', '0'].map(addressOf) as [
  ReturnType<typeof addressOf>,
  ReturnType<typeof addressOf>,
  ReturnType<typeof addressOf>,
  ReturnType<typeof addressOf>,
];
const transferTopic = hashOf('Transfer(address,address,uint256)');
const topicOf = (address: string): Hash => bytesToHash(hexToBytes(`0x${address.slice(2).padStart(64, '0')}`));
const log = (from: string, to: string, amount: bigint, of = token) => ({
  address: of,
  topics: [transferTopic, topicOf(from), topicOf(to)],
  data: hexToBytes(`0x${amount.toString(16).padStart(64, '0')}`),
});
const added = (logs: readonly ReturnType<typeof log>[], start?: ReadonlyMap<typeof alice, bigint>): TokenLedger => {
  const ledger = new TokenLedger([{ address: token, ...(start === undefined ? {} : { balances: start }) }]);
  ledger.add(blockOf(4, { transactions: [transactionOf(alice, { logs })] }));
  return ledger;
};

describe('a ledger of tokens', () => {
  it('what is made, sent and burned adds up', () => {
    const ledger = added([log(nobody, alice, 100n), log(alice, bob, 30n), log(bob, nobody, 10n)]);
    expect([...ledger.tokens.get(token)!]).toEqual([
      [alice, 70n],
      [bob, 20n],
    ]);
    expect([ledger.supplyOf(token), ledger.transfers]).toEqual([90n, 3]);
    expect(ledger.faults).toEqual([]);
  });

  it('goes on from what holders had', () => {
    expect(added([log(alice, bob, 5n)], new Map([[alice, 5n]])).faults).toEqual([]);
  });

  it('tells a holder that gives one more than it has', () => {
    expect(added([log(alice, bob, 6n)], new Map([[alice, 5n]])).faults).toEqual([
      `block 4: token ${token}: ${alice} gave 6, it had 5`,
    ]);
  });

  it('leaves out logs of other contracts, other events, and of NFTs', () => {
    const nft = {
      ...log(nobody, alice, 1n),
      topics: [...log(nobody, alice, 1n).topics, topicOf('0x1')],
      data: new Uint8Array(0),
    };
    const other = { ...log(nobody, alice, 1n), topics: [hashOf('Approval(address,address,uint256)')] };
    expect(added([log(nobody, alice, 1n, addressOf('71')), nft, other]).transfers).toBe(0);
  });
});
