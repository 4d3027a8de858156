/** The order book's contract with the tools of Foundry: see lib/report.mjs for what it is given and what it tells. */
import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { foundry } from './lib/program.mjs';
import { readTask, report } from './lib/report.mjs';

const task = readTask();
/** solc is the one of npm, since forge would fetch its own. */
const forge = foundry('forge', {
  FOUNDRY_SOLC: fileURLToPath(new URL('solc.mjs', import.meta.url)),
  FOUNDRY_OFFLINE: 'true',
});
const cast = foundry('cast');
const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const orders = '0x0000000000000000000000000000000000000100';
const rpc = ['--rpc-url', task.rpcUrl];
const read = (signature, ...args) => cast('call', orders, signature, ...args, ...rpc);
const send = (...args) => cast('send', orders, ...args, '--private-key', task.privateKey, '--json', ...rpc);

/** Waits for a block that shows what the one before it carried out. */
async function until(shown) {
  for (let look = 0; look < 200; look++) {
    if (await shown()) return;
    await sleep(50);
  }
  assert.fail('the order book does not show it');
}

/** The package as it lies in the repository, built: compiling takes longer than a check may. */
async function prepare() {
  const folder = at('../../packages/contracts');
  const isSource = (path) => !/[/\\](?:dist|src|node_modules)$/.test(path);
  await cp(folder, task.directory, { recursive: true, filter: isSource });
  await forge('build');
}
await prepare();

await report({
  // With the mock, since forge's own EVM has no order book.
  forgeTests: async () => assert.match(await forge('test'), /19 tests passed, 0 failed, 0 skipped/),
  reads: async () => {
    assert.match(await read('markets()(uint32[])'), /^\[1, 2/);
    const market = await read('market(uint32)(string,uint256,uint256,uint32,uint32,uint8,uint8)', '1');
    assert.match(market, /"PRM\/USD"/);
    assert.deepEqual(market.trim().split('\n').slice(-2), ['16', '18']);
    await assert.rejects(
      read('bestPrices(uint32)(uint256,uint256,uint256,uint256)', '99'),
      /unknown market 99|756e6b6e6f776e206d61726b6574203939/,
    );
  },
  writes: async () => {
    const { status, logs } = JSON.parse(await send('deposit()', '--value', '12345'));
    assert.equal(status, '0x1');
    assert.equal(logs.length, 1);
    const account = 'account(address)(int256,int256,uint256,uint256,uint256)';
    await until(async () => (await read(account, task.address)).startsWith('12345'));
    await assert.rejects(send('cancelOrder(uint64)', '0'), /InvalidOrderId|dbfbc2f9|reverted/);
  },
});
