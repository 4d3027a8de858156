import { connect, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type CryptoProvider, keccak256, publicKeyToAddress } from '@prime/crypto';
import {
  dialRaw,
  generateTlsIdentity,
  helloFrame,
  networkVersion,
  type RawGreeting,
  type TlsIdentity,
} from '@prime/network';
import type { Address, Hash, Prng } from '@prime/primitives';

/** Whom an attack is on, and what everybody can know of the network. */
export interface Target {
  readonly port: number;
  /** Pin of its certificate, which it shows to whoever connects. */
  readonly spki: string;
  readonly address: Address;
  readonly chainId: number;
  readonly genesisHash: Hash;
  /** Addresses of all validators. */
  readonly validators: readonly Address[];
  /** Its newest block. */
  readonly head: () => number;
}

const host = '127.0.0.1';
/** Connections that an attacker holds at once; more than a node takes. */
const heldMax = 200;

/** Somebody with a machine and no part in the network. Each identity that it takes is a new one: bans cost it nothing. */
export class Attacker {
  readonly target: Target;
  readonly prng: Prng;
  readonly #options: AttackerOptions;
  readonly #tls: TlsIdentity;
  readonly #held = new Set<Socket>();

  private constructor(options: AttackerOptions, tls: TlsIdentity) {
    this.target = options.target;
    this.prng = options.prng;
    this.#options = options;
    this.#tls = tls;
  }

  static async create(options: AttackerOptions): Promise<Attacker> {
    return new Attacker(options, await generateTlsIdentity());
  }

  /** A TCP connection; null when it holds enough of them. */
  tcp(): Promise<Socket | null> {
    return this.#opened(() => connect({ host, port: this.target.port, noDelay: true }), 'connect');
  }

  /** A TLS connection without a Hello; null when there is none, which is what its target is for. */
  tls(): Promise<TLSSocket | null> {
    return this.#opened(() => dialRaw({ host, port: this.target.port }, this.#tls), 'secureConnect');
  }

  /** A peer as anybody may be one on a test network: a follower with a key of its own that nobody has seen. */
  async follower(): Promise<TLSSocket | null> {
    const socket = await this.tls();
    socket?.write(helloFrame(socket, this.greeting()));
    return socket;
  }

  /** @param claims what is said of the identity and is not true */
  greeting(claims: Partial<RawGreeting> = {}): RawGreeting {
    const { provider, onIdentity } = this.#options;
    const privateKey = keccak256(this.bytes(32));
    const address = publicKeyToAddress(provider.publicKey(privateKey));
    onIdentity(address);
    const { chainId, genesisHash, spki } = this.target;
    return {
      protocolVersion: networkVersion,
      protocol: { known: 1, upgrades: [] },
      chainId,
      genesisHash,
      role: 'full',
      address,
      senderSpki: this.#tls.spki,
      receiverSpki: spki,
      sign: (digest) => provider.sign(digest, privateKey),
      ...claims,
    };
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.prng.below(256));
  }

  oneOf<Value>(values: readonly Value[]): Value {
    return values[this.prng.below(values.length)]!;
  }

  close(): void {
    for (const socket of this.#held) socket.destroy();
  }

  #opened<Kind extends Socket>(open: () => Kind, ready: 'connect' | 'secureConnect'): Promise<Kind | null> {
    if (this.#held.size >= heldMax) return Promise.resolve(null);
    const socket = open();
    this.#held.add(socket);
    // What comes is not of interest, but a reset that nobody listens to would end this process.
    socket.on('error', () => undefined);
    socket.resume();
    return new Promise((resolve) => {
      socket.once(ready, () => resolve(socket));
      socket.once('close', () => {
        this.#held.delete(socket);
        resolve(null);
      });
    });
  }
}

/** Whom an attacker goes for, and where its chance and its keys come from: the same draws give the same attack. */
export interface AttackerOptions {
  readonly target: Target;
  readonly prng: Prng;
  readonly provider: CryptoProvider;
  /** Told of each address under which it appears: what nodes say about these is no complaint about each other. */
  readonly onIdentity: (address: Address) => void;
}
