import { type ActionPayload, encodeNativeTransaction, nativeSigningDigest } from '@prime/codec';
import { type CryptoProvider, publicKeyToAddress } from '@prime/crypto';
import { type Address, bytesToHex, type Hash, type Hex, hexToBytes, SerialQueue } from '@prime/primitives';
import { type Accounts, limitExceeded, RpcError, type SendRequest } from '@prime/rpc';
import type { ConsensusBackend } from './backends.ts';
import { signDigest, signMessage, signTransaction } from './signTransaction.ts';

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
  /** Newest nonce of an action, of all accounts: milliseconds, each used once. */
  private actionNonce = 0;

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
    const { privateKey, turns } = this.account(request.from);
    if (turns.size >= queuedPerAccountMax)
      throw limitExceeded('accountQueue', queuedPerAccountMax, `${turns.size} transactions of ${request.from} wait`);
    return turns.run(async () => this.consensus.submitTransaction(await this.signed(privateKey, request)));
  }

  async sign(request: SendRequest): Promise<Hex> {
    return bytesToHex(await this.signed(this.account(request.from).privateKey, request));
  }

  async signMessage(address: Address, message: Hex): Promise<Hex> {
    return bytesToHex(signMessage(this.provider, this.account(address).privateKey, hexToBytes(message)));
  }

  async signDigest(address: Address, digest: Hex): Promise<Hex> {
    return bytesToHex(signDigest(this.provider, this.account(address).privateKey, hexToBytes(digest)));
  }

  /** A native transaction signed with the account's own key; null when the node does not hold it. */
  signAction(address: Address, payload: ActionPayload): Uint8Array | null {
    const privateKey = this.accounts.get(address)?.privateKey;
    if (privateKey === undefined) return null;
    this.actionNonce = Math.max(Date.now(), this.actionNonce + 1);
    const unsigned = {
      chainId: this.chainId,
      nonce: this.actionNonce,
      expiresAt: 0,
      account: address,
      payload,
      signatureKind: 'raw',
    } as const;
    const signature = this.provider.sign(nativeSigningDigest(unsigned), privateKey);
    return encodeNativeTransaction({ ...unsigned, signature });
  }

  private account(address: Address): Account {
    const account = this.accounts.get(address);
    if (account === undefined) throw new RpcError('unknown account', { code: 'RPC_UNKNOWN_ACCOUNT', address });
    return account;
  }

  private async signed(privateKey: Uint8Array, request: SendRequest): Promise<Uint8Array> {
    const nonce = request.nonce ?? (await this.consensus.pendingNonce(request.from));
    return signTransaction(this.provider, privateKey, this.chainId, nonce, request);
  }
}
