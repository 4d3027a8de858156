/** OpenZeppelin's tokens on a Prime network: see lib/report.mjs for what it is given and what it tells. */
import assert from 'node:assert/strict';
import { parseEther, parseSignature } from 'viem';
import { account, deploy, reader, wallet } from './lib/deployer.mjs';
import { chainId } from './lib/expectations.mjs';
import { readArtifacts, readTask, report } from './lib/report.mjs';

const task = readTask();
const { Coin, Deed, Goods, Vault } = readArtifacts(task);
const me = account.address;
const { peer } = task;
const supply = parseEther('1000');

let coin;
let deed;
let goods;
let vault;

await report({
  deploy: async () => {
    coin = await deploy(Coin, 'Coin', 'COIN', supply);
    deed = await deploy(Deed);
    goods = await deploy(Goods);
    vault = await deploy(Vault);
  },
  erc20: async () => {
    const { logs } = await coin.write('transfer', [peer, parseEther('10')]);
    assert.equal(logs.length, 1);
    assert.deepEqual(
      [await coin.read('balanceOf', me), await coin.read('balanceOf', peer)],
      [parseEther('990'), parseEther('10')],
    );
    const refused = await coin.refusal('transfer', peer, supply);
    assert.equal(refused.data.errorName, 'ERC20InsufficientBalance');
    assert.deepEqual(refused.data.args, [me, parseEther('990'), supply]);
  },
  permit: async () => {
    const types = {
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    };
    const message = { owner: me, spender: peer, value: 77n, nonce: 0n, deadline: 2n ** 40n };
    const domain = { name: 'Coin', version: '1', chainId, verifyingContract: coin.address };
    const { domain: told } = await reader.getEip712Domain({ address: coin.address });
    assert.equal(told.chainId, chainId);
    const signature = await wallet.signTypedData({ domain, types, primaryType: 'Permit', message });
    const { r, s, v } = parseSignature(signature);
    await coin.write('permit', [me, peer, 77n, message.deadline, Number(v), r, s]);
    assert.equal(await coin.read('allowance', me, peer), 77n);
    assert.equal(await coin.read('nonces', me), 1n);
  },
  erc721: async () => {
    await deed.write('mint', [me, 1n]);
    await deed.write('mint', [vault.address, 2n]);
    await deed.write('transferFrom', [me, peer, 1n]);
    assert.deepEqual(
      [await deed.read('ownerOf', 1n), await deed.read('ownerOf', 2n)].map((owner) => owner.toLowerCase()),
      [peer.toLowerCase(), vault.address.toLowerCase()],
    );
    const refused = await deed.refusal('mint', coin.address, 3n);
    assert.equal(refused.data.errorName, 'ERC721InvalidReceiver');
    assert.equal(await deed.read('supportsInterface', '0x80ac58cd'), true);
  },
  erc1155: async () => {
    await goods.write('mint', [me, 1n, 100n]);
    await goods.write('mint', [me, 2n, 200n]);
    const { logs } = await goods.write('safeBatchTransferFrom', [me, peer, [1n, 2n], [10n, 20n], '0x']);
    assert.equal(logs.length, 1);
    assert.deepEqual(await goods.read('balanceOfBatch', [me, peer, me, peer], [1n, 1n, 2n, 2n]), [90n, 10n, 180n, 20n]);
    const refused = await goods.refusal('safeTransferFrom', me, coin.address, 1n, 1n, '0x');
    assert.equal(refused.data.errorName, 'ERC1155InvalidReceiver');
  },
});
