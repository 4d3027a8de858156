/**
 * Runs the clients against a network and shows the compatibility table; `--write` puts it into docs/clients.md.
 *
 *   npm run conformance:clients [-- --write]
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestnet } from '@prime/testkit';
import { root } from '../../repo/repository.ts';
import { prepareClients, runClients } from './clients.ts';
import { renderTable, withTable } from './table.ts';

const workspace = await mkdtemp(join(tmpdir(), 'prime-clients-'));
const testnet = await createTestnet({ validators: 4 });
try {
  const project = await prepareClients(workspace);
  if (project !== null) {
    await testnet.startAll();
    const { clients: results } = await runClients(project, testnet, workspace);
    for (const { client, findings } of results)
      for (const [capability, finding] of Object.entries(findings))
        if (finding.outcome === 'fails') process.stderr.write(`${client.name}: ${capability}: ${finding.reason}\n`);
    const table = renderTable(results);
    process.stdout.write(`${table}\n`);
    if (process.argv.includes('--write')) {
      const page = join(root, 'docs/clients.md');
      await writeFile(page, withTable(await readFile(page, 'utf8'), table));
    }
    process.exitCode = results.some(({ findings }) =>
      Object.values(findings).some(({ outcome }) => outcome === 'fails'),
    )
      ? 1
      : 0;
  }
} finally {
  await testnet.destroy();
  await rm(workspace, { recursive: true, force: true });
}
