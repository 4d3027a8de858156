/** What people use, unmodified, against a network of four validators. Findings become the compatibility table of the README. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestnet, type Testnet } from '@prime/testkit';
import { readText } from '../../repo/repository.ts';
import { capabilityNames } from './capabilities.ts';
import { type ClientResult, clients, prepareClients, runClients } from './clients.ts';
import { renderTable, shownTable } from './table.ts';

const workspace = await mkdtemp(join(tmpdir(), 'prime-clients-'));
const project = await prepareClients(workspace);

(project === null ? describe.skip : describe)('clients', () => {
  let testnet: Testnet;
  let results: readonly ClientResult[] = [];
  beforeAll(async () => {
    testnet = await createTestnet({ validators: 4 });
    await testnet.startAll();
    results = await runClients(project!, testnet, workspace);
  }, 400_000);
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

  it('the table of the README is what was found', () => {
    expect(shownTable(readText('README.md'))).toBe(renderTable(results));
  });
});
