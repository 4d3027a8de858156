/** The programs in docs/sdk, as they stand there: each has its file's name in its first line, and what it prints in the block behind it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Genesis, trustGenesis } from '@prime/sdk/light';
import { run, type Testnet } from '@prime/testkit';
import { readText } from '../repo/repository.ts';

export interface Recipe {
  readonly page: string;
  /** Such as `book.ts`, `ethers.mjs`, `order.sh`. */
  readonly file: string;
  readonly program: string;
  /** Lines that it prints. */
  readonly prints: readonly string[];
}

const pages = ['docs/sdk/first-order.md', 'docs/sdk/trader.md', 'docs/sdk/cookbook.md', 'docs/sdk/examples.md'];

const linesOf = (text: string): readonly string[] => text.trimEnd().split('\n');

/** Whoever reads a page runs the programs in its `ts`, `js` and `sh` blocks; what stands in `text` blocks is what they print. @throws Error for a program without either */
function recipesOf(page: string): readonly Recipe[] {
  const blocks = [...readText(page).matchAll(/^```(ts|js|sh|text)\n([^]*?)^```$/gm)].map(([, kind, text]) => ({
    kind: kind!,
    text: text!,
  }));
  return blocks.flatMap(({ kind, text }, index) => {
    if (kind === 'text') return [];
    const [, file] = /^(?:\/\/|#) (\w[\w-]*\.(?:ts|mjs|sh))\n/.exec(text) ?? [];
    const printed = blocks[index + 1];
    if (file === undefined || printed?.kind !== 'text') throw new Error(`${page} has a program without name or output`);
    return [{ page, file, program: text, prints: linesOf(printed.text) }];
  });
}

export const recipes: readonly Recipe[] = pages.flatMap(recipesOf);

/** Keys that pages write for those of owners. */
const ownerKeys = ['01', '02'].map((byte) => `0x${byte.repeat(32)}`);

/** Addresses, keys and the genesis of the network of `npm start` in the pages, and what stands for them on a test's own network of two validators. */
export async function localNames(testnet: Testnet): Promise<ReadonlyMap<string, string>> {
  const exported = ownerKeys.map(async (shown, index) => {
    const { output } = await run(['key', 'export', testnet.ownerKey(index), '--yes']);
    return [shown, output.trim()] as const;
  });
  const genesis = JSON.parse(await readFile(join(testnet.home(0), 'genesis.json'), 'utf8')) as Genesis;
  return new Map([
    ['http://127.0.0.1:8545', testnet.url(0)],
    ['http://127.0.0.1:8546', testnet.url(1)],
    ...(await Promise.all(exported)),
    ['0x8f2f2b3c5b8f6a0d1e4c7b9a3d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f70', trustGenesis(genesis).genesisHash],
  ]);
}
