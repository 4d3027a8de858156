import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { genesisHash } from '@prime/codec';
import { parseKeyFile } from '@prime/config';
import { validatorsFromGenesis } from '@prime/consensus';
import { cryptoProvider, type CryptoProvider, publicKeyToAddress } from '@prime/crypto';
import { Engine, type Execution, type MessageSigner, type PeerEvents } from '@prime/engine';
import { createAccountReader } from '@prime/evm/accounts';
import { createMempool } from '@prime/mempool';
import { type Address, assert, bytesEqual, type Height } from '@prime/primitives';
import { openBlockStore, openSignState, openStateDatabase, openWal } from '@prime/storage';
import { openLink, untilAnswered } from '../links.ts';
import { createEngineMetrics } from '../engineMetrics.ts';
import { engineLog, threadLogger } from '../logging.ts';
import { openNetwork } from '../network.ts';
import type { ConsensusToEvm, GatewayToConsensus, Silent } from '../protocols.ts';
import type { ThreadData } from '../threadData.ts';
import { createVerifierPool, poolThreads } from '../verifierPool.ts';
import { consensusService } from '../consensusService.ts';
import { nodeClock } from '../clock.ts';
import { runThread } from './threadMain.ts';

/** The consensus thread: network, mempool, engine, log, block store. */
runThread(async ({ data, fatal }) => {
  const { config, genesis, home } = data;
  const logger = threadLogger(data, 'consensus');
  const provider = await cryptoProvider();
  const identity = readIdentity(data, provider);
  const evm = openLink<ConsensusToEvm, Silent>(data, 'consensus-evm', {}, fatal);
  const clock = nodeClock(data.clockOffsetMs);
  const blocks = await openBlockStore(home.blocks, { cacheBytes: config.storage.cacheBytes });
  const wal = openWal(home.wal, { genesisHash: genesisHash(genesis) });
  const signState = openSignState(home.signState);
  const verifier = createVerifierPool({
    threads: poolThreads(config.threads.cryptoWorkers, availableParallelism()),
    chainId: genesis.chainId,
    gasLimit: genesis.evm.gasLimit,
  });
  const execution: Execution = {
    status: () => evm.request('status', null, untilAnswered),
    check: (block) => evm.request('check', block, untilAnswered),
    execute: (hash) => evm.request('execute', hash, untilAnswered),
    commit: async (hash, certificate) => {
      const outcome = await evm.request('commit', { hash, certificate }, untilAnswered);
      verifier.warm();
      return outcome;
    },
  };
  let parts: Awaited<ReturnType<typeof begin>> | null = null;
  const service = consensusService(() => {
    assert(parts !== null, 'consensus was asked before it was started');
    return parts;
  });
  const gateway = openLink<Silent, GatewayToConsensus>(data, 'gateway-consensus', service.handlers, fatal);

  async function begin() {
    const status = await execution.status();
    const database = await openStateDatabase(home.state, { cacheBytes: config.storage.cacheBytes });
    const accounts = createAccountReader(database);
    const mempool = createMempool({
      blockGasLimit: genesis.evm.gasLimit,
      baseFee: status.nextBaseFee,
      limits: mempoolLimits(config.limits),
    });
    const { consensus } = config;
    const events: PeerEvents = {
      onMessage: (from, message) => engine.onMessage(from, message),
      onPeerConnected: (peer) => engine.onPeerConnected(peer),
      onPeerDisconnected: (peer) => engine.onPeerDisconnected(peer),
    };
    const { validator, signer } = identity;
    const head = (): Height => engine.head;
    const network = openNetwork({ data, validator, signer, provider, logger, clock, head, events });
    const engine: Engine = new Engine({
      genesis,
      timeouts: consensus,
      self: validator,
      signer: validator === null ? null : signer,
      provider,
      mempool,
      ports: { wal, signState, blocks, execution, accounts, verifier, network, clock },
      log: engineLog(logger),
      metrics: createEngineMetrics(data.metrics),
      onFatal: fatal,
    });
    await engine.start();
    const endpoint = await network.start();
    return { engine, mempool, accounts, network, database, p2pPort: endpoint?.port ?? 0 };
  }

  return {
    async start() {
      parts = await begin();
      return { p2pPort: parts.p2pPort, height: parts.engine.head };
    },
    async stop() {
      await parts?.network.close();
      await parts?.engine.stop();
      await verifier.close();
      wal.close();
      signState.close();
      await Promise.all([blocks.close(), parts?.database.close()]);
      for (const link of [evm, gateway]) link.close();
    },
    halt: () => verifier.close(),
    status: () => (parts === null ? null : service.status()),
  };
});

/** Actions have a room of their own, so that neither kind can push out the other. */
const mempoolLimits = ({ mempoolTransactions, mempoolBytes }: ThreadData['config']['limits']) => ({
  transactionCountMax: mempoolTransactions,
  transactionBytesMax: mempoolBytes,
  actionCountMax: mempoolTransactions,
  actionBytesMax: Math.floor(mempoolBytes / 4),
});

interface Identity {
  /** Address of this node's validator; null on a follower. */
  readonly validator: Address | null;
  /** The hot key; a follower's only shows who it is. */
  readonly signer: MessageSigner;
}

/** The hot key of the home folder and the validator that genesis registered it for. */
function readIdentity({ config, genesis, home }: ThreadData, provider: CryptoProvider): Identity {
  const { privateKey } = parseKeyFile(provider, readFileSync(home.signerKey, 'utf8'), 'signer', home.signerKey);
  const publicKey = provider.publicKey(privateKey);
  const own = validatorsFromGenesis(genesis.validators).validators.find((validator) =>
    bytesEqual(validator.publicKey, publicKey),
  );
  return {
    validator: config.node.role === 'validator' ? (own?.address ?? null) : null,
    signer: { address: publicKeyToAddress(publicKey), sign: (digest) => provider.sign(digest, privateKey) },
  };
}
