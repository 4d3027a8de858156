import { compileContract, junkMnemonic } from '@prime/examples';
import { type Abi, encodeDeployData, encodeFunctionData, getContractAddress, keccak256, parseGwei } from 'viem';
import { type HDAccount, mnemonicToAccount } from 'viem/accounts';
import { readText, root } from '../../repo/repository.ts';
import { named, type Scene, type Shape } from '../scene.ts';
import { markets } from '../soakNetwork.ts';

/** Transactions in bursts, and contracts that use the order book. */

type Hex = `0x${string}`;
const book = '0x0000000000000000000000000000000000000100';
const { abi: bookAbi } = JSON.parse(readText('packages/contracts/artifacts/PrimeOrders.json')) as { abi: Abi };
const forwarder = compileContract(
  'Adversary.sol',
  'Adversary',
  new URL('packages/predeploy/contracts/', `file://${root}/`),
);
/** Not those that pay for transfers into the book. */
const senders = [3, 4, 5, 6].map((addressIndex) => mnemonicToAccount(junkMnemonic, { addressIndex }));

interface Plan {
  readonly to?: Hex;
  readonly data?: Hex;
  readonly value?: bigint;
  readonly gas: bigint;
}

/** Signed with the account's next nonces. */
async function signedBy(scene: Scene, account: HDAccount, plans: readonly Plan[]): Promise<Hex[]> {
  const nonce = Number(await scene.clients.read<Hex>('eth_getTransactionCount', [account.address, 'latest']));
  return Promise.all(
    plans.map((plan, index) =>
      account.signTransaction({
        ...plan,
        type: 'eip1559',
        chainId: 7919,
        nonce: nonce + index,
        maxFeePerGas: parseGwei('500'),
        maxPriorityFeePerGas: parseGwei('1'),
      }),
    ),
  );
}

/** Sends them, again where a node took them with it, until the last of each sender is in a block. */
async function mined(scene: Scene, lists: readonly (readonly Hex[])[]): Promise<void> {
  const isMined = async (raw: Hex): Promise<boolean> =>
    (await scene.clients.read('eth_getTransactionReceipt', [keccak256(raw)])) !== null;
  const send = async (raws: readonly Hex[]): Promise<void> => {
    // What is known or in a block already is refused, and that is well.
    await scene.clients.all(
      raws.map((raw) => ['eth_sendRawTransaction', [raw]] as const),
      16,
    );
  };
  await Promise.all(lists.map(send));
  await scene.until('the transactions are in blocks', async () => {
    const open: (readonly Hex[])[] = [];
    for (const raws of lists) if (!(await isMined(raws.at(-1)!))) open.push(raws);
    await Promise.all(open.map(send));
    return open.length === 0;
  });
}

async function bursts(scene: Scene): Promise<void> {
  const pay: Plan = { to: named('payee') as Hex, value: 1n, gas: 21_000n };
  const deploy: Plan = {
    data: encodeDeployData({ abi: forwarder.abi, bytecode: forwarder.bytecode, args: [] }),
    gas: 3_000_000n,
  };
  const lists = await Promise.all(
    senders.map((account, place) =>
      signedBy(scene, account, [
        ...(place === 0 ? [deploy, deploy] : []),
        ...Array.from({ length: scene.pick([60, 64, 65]) }, () => pay),
      ]),
    ),
  );
  // In turn, so that the nonces of each sender come in order.
  const longest = Math.max(...lists.map((list) => list.length));
  const inTurn = Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list[index] ?? [])).flat();
  await scene.together(inTurn.map((raw) => ['eth_sendRawTransaction', [raw]] as const));
  await mined(scene, lists);
}

async function contracts(scene: Scene): Promise<void> {
  const account = senders[scene.random.below(senders.length)]!;
  const nonce = await scene.clients.read<Hex>('eth_getTransactionCount', [account.address, 'latest']);
  const contract = getContractAddress({ from: account.address, nonce: BigInt(nonce) });
  const call = (functionName: string, args: readonly unknown[]): Hex =>
    encodeFunctionData({ abi: bookAbi, functionName, args } as never);
  const forward = (functionName: string, args: readonly unknown[], gas: bigint, value = 0n): Plan => ({
    to: contract,
    data: encodeFunctionData({ abi: forwarder.abi, functionName, args } as never),
    gas,
    value,
  });
  const order = (isBuy: boolean, price: bigint): Hex =>
    call('submitOrder', [markets.contracts, isBuy, price, 2n, 0, 0, 0n]);
  const many = BigInt(scene.pick([31, 32, 33, 64, 65]));
  const plans: Plan[] = [
    { data: encodeDeployData({ abi: forwarder.abi, bytecode: forwarder.bytecode, args: [] }), gas: 3_000_000n },
    forward('forward', [call('deposit', []), 10n ** 12n], 500_000n, 10n ** 12n),
    forward('forwardMany', [order(true, 990n), many], 12_000_000n),
    forward('forwardMany', [order(false, 1010n), many], 12_000_000n),
    forward('forwardThenRevert', [order(true, 5n), 0n], 500_000n),
    forward('forward', [order(false, 980n), 0n], 500_000n),
    forward('forward', [call('cancelAll', [0]), 0n], 500_000n),
    forward('forward', [call('withdraw', [10n ** 6n, named('out1')]), 0n], 500_000n),
  ];
  await mined(scene, [await signedBy(scene, account, plans)]);
  // What it asked for last is carried out in the block after.
  const height = Number(await scene.clients.read<Hex>('eth_blockNumber'));
  await scene.until('the next block', async () => Number(await scene.clients.read<Hex>('eth_blockNumber')) > height);
  await scene.clients.ask('primebridge_dequeueOrdersToEvm', []);
  await scene.clients.read('eth_call', [{ to: book, data: call('account', [contract]) }, 'latest']);
}

export const evmShapes: readonly Shape[] = [
  { name: 'transactions in bursts', run: bursts },
  { name: 'contracts that trade', run: contracts },
];
