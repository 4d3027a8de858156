/** What `hardhat run --network unlocked` does: the node signs. */
import assert from 'node:assert/strict';
import hre from 'hardhat';
import { allowed } from '../lib/expectations.mjs';
import { report } from '../lib/report.mjs';

const task = JSON.parse(process.env.PRIME_TASK);

await report({
  nodeSigned: async () => {
    const signer = (await hre.ethers.getSigners()).find(({ address }) => address === task.address);
    const probe = await hre.ethers.deployContract('Probe', [allowed], signer);
    await probe.waitForDeployment();
    const receipt = await (await probe.store(2n, 1n, 'by the node')).wait();
    assert.deepEqual([receipt.status, receipt.from], [1, task.address]);
  },
});
