import { type CryptoProvider, publicKeyToAddress } from '@prime/crypto';
import { type Address, type Hash, SerialQueue } from '@prime/primitives';
import { type Accounts, limitExceeded, RpcError, type SendRequest } from '@prime/rpc';
import type { ConsensusBackend } from './backends.ts';
import { signTransaction } from './signTransaction.ts';

/** Transactions that may wait for their turn on one account. */
const queuedPerAccountMax = 1000;

interface Account {
  readonly privateKey: Uint8Array;
  /** One transaction after the other. */
  readonly turns: SerialQueue;
}

/**
 * Accounts whose keys the node holds. A nonce is taken, signed and submitted in one turn per account, so parallel requests get
 * consecutive nonces, and one that is refused leaves no gap.
 */
export class Keyring implements Accounts {
  private readonly accounts = new Map<Address, Account>();
  private readonly provider: CryptoProvider;
  private readonly chainId: number;
  private readonly consensus: ConsensusBackend;

  /** @param privateKeys 32 bytes each */
  constructor(
    provider: CryptoProvider,
    chainId: number,
    privateKeys: readonly Uint8Array[],
    consensus: ConsensusBackend,
  ) {
    this.provider = provider;
    this.chainId = chainId;
    this.consensus = consensus;
    for (const privateKey of privateKeys) {
      const address = publicKeyToAddress(provider.publicKey(privateKey));
      this.accounts.set(address, { privateKey, turns: new SerialQueue() });
    }
  }

  async addresses(): Promise<readonly Address[]> {
    return [...this.accounts.keys()];
  }

  async send(request: SendRequest): Promise<Hash> {
    const account = this.accounts.get(request.from);
    if (account === undefined)
      throw new RpcError('unknown account', { code: 'RPC_UNKNOWN_ACCOUNT', address: request.from });
    if (account.turns.size >= queuedPerAccountMax)
      throw limitExceeded(
        'accountQueue',
        queuedPerAccountMax,
        `${account.turns.size} transactions of ${request.from} wait`,
      );
    return account.turns.run(() => this.submit(account.privateKey, request));
  }

  private async submit(privateKey: Uint8Array, request: SendRequest): Promise<Hash> {
    const nonce = request.nonce ?? (await this.consensus.pendingNonce(request.from));
    return this.consensus.submitTransaction(signTransaction(this.provider, privateKey, this.chainId, nonce, request));
  }
}
