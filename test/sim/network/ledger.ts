import type { BlockDelta } from '@prime/codec';
import { readExecuted, readLastApplied } from '@prime/chain';
import { assert, type Hash } from '@prime/primitives';
import { Violation } from '../observer.ts';
import { checkOrderBook, supplyOf } from './conservation.ts';
import type { NodeDisk } from './node/disk.ts';

/** A node that keeps a state. */
interface Replica {
  readonly label: string;
  readonly disk: Pick<NodeDisk, 'state'>;
}

/** What all nodes together know of the blocks that they executed: roots must be the same, and no wei are made or lost. */
export class Ledger {
  readonly #roots = new Map<number, Hash>();
  /** Wei burnt up to and with each height. */
  readonly #burnt = new Map<number, bigint>([[0, 0n]]);
  #supply: bigint | null = null;

  /** A node executed a block for good. */
  onDelta({ block, roots }: BlockDelta): void {
    const { height, baseFee } = block.header;
    const known = this.#roots.get(height) ?? roots.stateRoot;
    if (known !== roots.stateRoot) throw new Violation(`block ${height} has roots ${known} and ${roots.stateRoot}`);
    this.#roots.set(height, known);
    const before = this.#burnt.get(height - 1);
    assert(before !== undefined, `block ${height} is executed before the one below it`);
    this.#burnt.set(height, before + baseFee * roots.gasUsed);
  }

  /** Of genesis; the same on every node. */
  async onGenesis(node: Replica): Promise<void> {
    if (readLastApplied(node.disk.state) !== 0) return;
    const supply = await supplyOf(node.disk.state);
    if ((this.#supply ?? supply) !== supply) throw new Violation(`${node.label} begins with ${supply} wei`);
    this.#supply = supply;
  }

  /** A node has a state that others gave it: it must be the one of those who executed the blocks. */
  async onRestored(node: Replica): Promise<void> {
    const height = readLastApplied(node.disk.state)!;
    const root = readExecuted(node.disk.state, height)?.roots.stateRoot;
    if (root === undefined || root !== this.#roots.get(height))
      throw new Violation(
        `${node.label} begins at block ${height} with root ${root}, it is ${this.#roots.get(height)}`,
      );
    await this.check(node);
  }

  async check(node: Replica): Promise<void> {
    const height = readLastApplied(node.disk.state);
    assert(height !== null && this.#supply !== null, 'a node that is up has a state');
    const expected = this.#supply - this.#burnt.get(height)!;
    const supply = await supplyOf(node.disk.state);
    if (supply !== expected)
      throw new Violation(
        `${node.label} has ${supply} wei at block ${height}, there were and were not burnt ${expected}`,
      );
    await checkOrderBook(node.disk.state, height);
  }
}
