import { createCryptoProvider } from '@prime/crypto';
import { simulateNetwork, wanOptions } from './network/simulateNetwork.ts';
import { measureWan, type WanProfile, wanProfiles } from './network/scenario/wan.ts';

/**
 * `npm run sim:wan`: networks of 4, 7 and 16 validators between regions, without faults and with processors that cost nothing; blocks a second and
 * latencies in virtual time, the same in every run. Exit code 1 when a run breaks a rule.
 */
const crypto = await createCryptoProvider();
console.log('| Profile | Validators | Blocks/s | Commit p50, p99 ms | Write p50, p99 ms |\n|---|---|---|---|---|');
for (const profile of Object.keys(wanProfiles) as WanProfile[])
  for (const validators of [4, 7, 16]) {
    const { violation, blocksPerSecond, commitMs, writeMs } = await measureWan(profile, validators, (changes) =>
      simulateNetwork(wanOptions(changes), crypto),
    );
    const shown = [commitMs, writeMs].map(({ p50, p99 }) => `${p50}, ${p99}`);
    console.log(`| ${[profile, validators, blocksPerSecond, ...shown].join(' | ')} |`);
    if (violation === null) continue;
    console.error(violation);
    process.exitCode = 1;
  }
