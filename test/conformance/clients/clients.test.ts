/** What people use, unmodified, against a network of four validators. Findings become the table of docs/clients.md. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rpc } from '@prime/load/rpc';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { readText } from '../../repo/repository.ts';
import { capabilityNames } from './capabilities.ts';
import {
  allProgramsMs,
  type ClientResult,
  clients,
  contractPrograms,
  type Finding,
  prepareClients,
  runClients,
} from './clients.ts';
import { renderTable, shownTable } from './table.ts';

const workspace = await mkdtemp(join(tmpdir(), 'prime-clients-'));
const project = await prepareClients(workspace);

(project === null ? describe.skip : describe)('clients', () => {
  let testnet: Testnet;
  let results: readonly ClientResult[] = [];
  let contracts: Readonly<Record<string, Readonly<Record<string, Finding>>>> = {};
  beforeAll(async () => {
    testnet = await createTestnet({ validators: 4 });
    await testnet.startAll();
    ({ clients: results, others: contracts } = await runClients(project!, testnet, workspace, contractPrograms));
  }, allProgramsMs);
  afterAll(async () => {
    await testnet.destroy();
    await rm(workspace, { recursive: true, force: true });
  });

  describe.each(clients.map(({ name }, index) => ({ name, index })))('$name', ({ index }) => {
    it.each(capabilityNames)('%s', (capability) => {
      const finding = results[index]!.findings[capability];
      expect(finding).toEqual(finding.outcome === 'fails' ? { outcome: 'works' } : finding);
    });
  });

  describe.each(Object.entries(contractPrograms))('%s', (program, steps) => {
    it.each(steps)('%s', (step) => {
      expect(contracts[program]?.[step]).toEqual({ outcome: 'works' });
    });
  });

  it('all validators have the same blocks in the end', async () => {
    const head = BigInt(await rpc<string>(testnet.url(0), 'eth_blockNumber'));
    const blockOf = (url: string) =>
      until(`${url} has block ${head}`, () =>
        rpc<{ hash: string; stateRoot: string } | null>(url, 'eth_getBlockByNumber', [`0x${head.toString(16)}`, false]),
      );
    const [first, ...others] = await Promise.all(testnet.urls().map(blockOf));
    for (const { hash, stateRoot } of others)
      expect({ hash, stateRoot }).toEqual({ hash: first!.hash, stateRoot: first!.stateRoot });
  });

  it('the table of docs/clients.md is what was found', () => {
    expect(shownTable(readText('docs/clients.md'))).toBe(renderTable(results));
  });
});
