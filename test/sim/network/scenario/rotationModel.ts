import type { Address } from '@prime/primitives';

interface Member {
  readonly address: Address;
  readonly power: bigint;
}

/**
 * Who proposes, in the plainest words of CometBFT's spec/consensus/proposer-selection.md: one table of power and priority that every height
 * and every round goes through. Shares nothing with what nodes run, and keeps nothing but the newest height.
 */
export class RotationModel {
  #table = new Map<Address, { power: bigint; priority: bigint }>();

  constructor(members: readonly Member[]) {
    for (const { address, power } of members) this.#table.set(address, { power, priority: 0n });
  }

  /** Proposers of the rounds of this height, up to and with the given one. */
  proposers(rounds: number): Address[] {
    const table = new Map([...this.#table].map(([address, row]) => [address, { ...row }]));
    balance(table);
    return Array.from({ length: rounds + 1 }, () => choose(table));
  }

  /** Goes to the next height, whose members are these. */
  advance(members: readonly Member[]): void {
    balance(this.#table);
    choose(this.#table);
    const wanted = new Map(members.map(({ address, power }) => [address, power]));
    const joining = [...wanted.keys()].filter((address) => !this.#table.has(address));
    // Of those who leave the power still counts in what the joining ones pay.
    let total = 0n;
    for (const [address, { power }] of this.#table) total += wanted.get(address) ?? power;
    for (const address of joining) total += wanted.get(address)!;
    for (const [address, row] of this.#table) {
      const power = wanted.get(address);
      if (power === undefined) this.#table.delete(address);
      else row.power = power;
    }
    for (const address of joining)
      this.#table.set(address, { power: wanted.get(address)!, priority: -(total + total / 8n) });
  }
}

type Table = Map<Address, { power: bigint; priority: bigint }>;

const totalOf = (table: Table): bigint => [...table.values()].reduce((sum, { power }) => sum + power, 0n);

function balance(table: Table): void {
  const rows = [...table.values()];
  const sorted = rows.map(({ priority }) => priority).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const spread = sorted.at(-1)! - sorted[0]!;
  const spreadMax = 2n * totalOf(table);
  if (spread > spreadMax) {
    const ratio = (spread + spreadMax - 1n) / spreadMax;
    for (const row of rows) row.priority /= ratio;
  }
  const sum = rows.reduce((total, { priority }) => total + priority, 0n);
  const count = BigInt(rows.length);
  const mean = (sum - (((sum % count) + count) % count)) / count;
  for (const row of rows) row.priority -= mean;
}

function choose(table: Table): Address {
  for (const row of table.values()) row.priority += row.power;
  const [first] = [...table].sort(([a, { priority: one }], [b, { priority: other }]) =>
    one === other ? (a < b ? -1 : 1) : one > other ? -1 : 1,
  );
  const [address, row] = first!;
  row.priority -= totalOf(table);
  return address;
}
