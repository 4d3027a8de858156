import { consensus } from './consensus.mjs';
import { execution } from './execution.mjs';
import { machine } from './machine.mjs';
import { network } from './network.mjs';
import { node } from './node.mjs';
import { rpc } from './rpc.mjs';
import { threads } from './threads.mjs';

const dashboards = { network, node, consensus, execution, rpc, threads, machine };

/** Path to text of each dashboard. */
export const dashboardFiles = () =>
  Object.fromEntries(
    Object.entries(dashboards).map(([name, text]) => [`deploy/grafana/dashboards/${name}.json`, text]),
  );
