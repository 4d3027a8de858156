import { afterEach } from '@jest/globals';
import { createStreams, type Streams, type StreamsOptions } from '../../streams/streams.ts';
import type { TestChain } from './testChain.ts';
import { TestNode } from './testNode.ts';

/** Quick to come back, so that no test waits for long. */
const quick = { backoffBaseMs: 1, backoffMaxMs: 20, stableMs: 0 } as const;

/** Nodes and streams of a test file. */
export interface StreamsInTest {
  startNode(chain: TestChain, head?: number): Promise<TestNode>;
  streamsOf(urls: readonly string[], options?: Partial<StreamsOptions>): Streams;
  /** Ends all of them; also after each test. */
  closeAll(): Promise<void>;
}

/** Nodes and streams for the tests of a file, which end with their test. */
export function useStreams(): StreamsInTest {
  const nodes: TestNode[] = [];
  const opened: Streams[] = [];
  const closeAll = async (): Promise<void> => {
    for (const streams of opened.splice(0)) streams.close();
    for (const node of nodes.splice(0)) await node.stop();
  };
  afterEach(closeAll);
  return {
    async startNode(chain, head) {
      const node = await TestNode.start(chain, head);
      nodes.push(node);
      return node;
    },
    streamsOf(urls, options = {}) {
      const streams = createStreams({ urls, ...quick, ...options });
      opened.push(streams);
      return streams;
    },
    closeAll,
  };
}
