import { type Address, hexToBytes, parseAddress } from '@prime/primitives';
import { multicall3Code } from '../contracts/multicall3.ts';

/**
 * EIP-2935: serves the hashes of the last 8191 blocks. The chain writes them directly, with the same effect as the system call.
 *
 * @see https://eips.ethereum.org/EIPS/eip-2935
 */
export const historyAddress: Address = parseAddress('0x0000f90827f1c53a10cb7a02335b175320002935');

/** Slots of the ring in which the hash of block n stands at n mod 8191 (EIP-2935). */
export const historySize = 8191n;
const historyCode = hexToBytes(
  '0x3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500',
);

/** Deterministic deployment proxy: CREATE2 for everyone, at the address that deployment tools expect on every chain. */
export const create2DeployerAddress: Address = parseAddress('0x4e59b44847b379578588920ca78fbf26c0b4956c');
const create2DeployerCode = hexToBytes(
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3',
);

/** Many calls in one: the address at which viem, ethers and explorers look for it. */
export const multicall3Address: Address = parseAddress('0xca11bde05977b3631167028862be2a173976ca11');

/** Contracts that every network has from genesis on; an allocation for the same address takes their place. */
export const predeploys: readonly { readonly address: Address; readonly code: Uint8Array }[] = [
  { address: historyAddress, code: historyCode },
  { address: create2DeployerAddress, code: create2DeployerCode },
  { address: multicall3Address, code: multicall3Code },
];
