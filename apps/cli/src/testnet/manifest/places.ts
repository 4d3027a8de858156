/** Ports of a network: the same here and wherever it is written out to. */
import { defaultPlace, placeFrom } from '@prime/config';
import { type Manifest, nodeNames } from './manifest.ts';

/** Ports of one node: JSON-RPC, peers and admin endpoint. */
export interface NodePorts {
  readonly rpcPort: number;
  readonly p2pPort: number;
  readonly adminPort: number;
}

/** Ports of one signer process. */
export interface SignerPorts {
  /** Where its validator asks for signatures. */
  readonly signerPort: number;
  readonly adminPort: number;
}

/** Highest number of a TCP port. */
export const lastPort = 65_535;

/** Where the explorer listens unless something else is asked for. */
export const explorerPort = 8_500;

const [defaultPrometheusPort, defaultGrafanaPort] = [9_090, 3_000] as const;

/** Where a signer listens when ports have no common base: beyond those of 200 nodes. */
const firstSignerPort = 26_900;
const firstSignerAdminPort = 9_400;
/** Behind the three that a node takes for itself of its ten. */
const signerOffset = 5;
const signerAdminOffset = 6;

/** Ports of a node by its number. @param basePort of the whole network; undefined takes the usual ones */
export function nodePorts(index: number, basePort: number | undefined): NodePorts {
  const { rpcPort, p2pPort, adminPort } = basePort === undefined ? defaultPlace(index) : placeFrom(basePort, index);
  return { rpcPort, p2pPort, adminPort };
}

/** Of the signer of a validator. */
export function signerPorts(validator: number, basePort: number | undefined): SignerPorts {
  if (basePort === undefined)
    return { signerPort: firstSignerPort + validator, adminPort: firstSignerAdminPort + validator };
  const first = basePort + 10 * validator;
  return { signerPort: first + signerOffset, adminPort: first + signerAdminOffset };
}

/** Of what watches the network; null where nothing does. */
export const watcherPorts = ({ monitoring }: Manifest) =>
  monitoring === undefined
    ? null
    : {
        port: monitoring.port ?? defaultPrometheusPort,
        grafanaPort: monitoring.grafana_port ?? defaultGrafanaPort,
      };

/** Every port of nodes and signers, with who has it. */
export function portsOfNetwork(manifest: Manifest): { readonly port: number; readonly of: string }[] {
  const { base_port: basePort, remote_signers: remoteSigners } = manifest;
  return [
    ...nodeNames(manifest).flatMap((of, index) =>
      Object.values(nodePorts(index, basePort)).map((port: number) => ({ port, of })),
    ),
    ...remoteSigners.flatMap((validator) => {
      const number = Number(validator.slice('validator'.length));
      return Object.values(signerPorts(number, basePort)).map((port: number) => ({ port, of: `signer${number}` }));
    }),
  ];
}
