/** docs/adapters.md sends authors of connectors to methods and streams: each has to be there. */
import { describe, expect, it } from '@jest/globals';
import { readText } from '../repository.ts';

const page = readText('docs/adapters.md');
const openRpc = JSON.parse(readText('docs/rpc/openrpc.json')) as { readonly methods: readonly { name: string }[] };
const methods = new Set(openRpc.methods.map(({ name }) => name));
const streams = readText('docs/protocol/streams.md');
const rpcDocs = ['primeorders', 'prime', 'eth', 'shapes'].map((name) => readText(`docs/rpc/${name}.md`)).join('\n');
const encodings = readText('docs/protocol/encoding.md');

const named = (pattern: RegExp): string[] => [...new Set([...page.matchAll(pattern)].map(([, name]) => name!))];

describe('the page for authors of adapters', () => {
  it('names methods that there are', () => {
    const found = named(/`((?:eth|prime|primeorders|primebridge)_[A-Za-z]+)`/g);
    expect(found.filter((name) => !methods.has(name))).toEqual([]);
    expect(found.length).toBeGreaterThan(10);
  });

  it('names every method of the order book that trades or reads for traders', () => {
    const others = /_(addMarket|setMarginParams|liquidate|isLiquidatable|depositCollateral|getProof|getAgents)$/;
    const wanted = [...methods].filter((name) => name.startsWith('primeorders_') && !others.test(name));
    expect(wanted.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('names streams that there are', () => {
    const found = named(/streams? `([a-zA-Z]+)`/g);
    expect(found.filter((name) => !streams.includes(`| \`${name}\` |`))).toEqual([]);
    expect(found.toSorted()).toEqual(['domainEvents', 'orderBook', 'orders', 'trades']);
  });

  it('names kinds of events and fields that there are', () => {
    const kinds = named(/kind `([a-z_]+)`/g);
    expect(kinds.filter((kind) => !encodings.includes(`| ${kind} |`))).toEqual([]);
    // Words of Hummingbot.
    const theirs = ['update_id'];
    const fields = named(/`([a-z]+_(?:size|decimals|price|bps|ppm|collateral|margin|block|id|funding))`/g);
    const ours = [rpcDocs, streams, encodings];
    const unknown = fields.filter((field) => !ours.some((text) => text.includes(field)));
    expect(unknown).toEqual(theirs);
    expect([kinds.length, fields.length].every((count) => count > 3)).toBe(true);
  });
});
