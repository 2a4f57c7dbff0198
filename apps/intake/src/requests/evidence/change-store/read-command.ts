import { parseArgs } from 'node:util';
import { evidenceStores } from '@rubrica/contracts/services/schemas/evidence';
import type { Change } from './change-store.ts';

export const help = `npm run evidence -w apps/intake -- move --from <store> --to <store> [options]
npm run evidence -w apps/intake -- check

move takes all evidence that lies outside of PostgreSQL from one store (${evidenceStores.join(', ')}) into the other, while the services
run. Set EVIDENCE_STORE to the new store first, for gateway and intake, and leave the settings of both. Each file is written,
read back and compared before its row names it; at the end the rows of both stores are counted, and what they name is
looked for in the new store's own list. May be interrupted (Ctrl-C) and begun again: it goes on with what is left. The
services' sweep removes what no row names any more.

check counts what rows name in each store and looks for it in the store's own list, such as after a restore. It reads no file:
that is the scrub's.

  --mb-per-second <n>  MB per second that this may come to, 20 where it is left out

Exit code: 0 all is there, 1 something is not, 2 nothing was tried, 130 interrupted
`;

const options = {
  help: { type: 'boolean', short: 'h' },
  from: { type: 'string' },
  to: { type: 'string' },
  'mb-per-second': { type: 'string', default: '20' },
} as const;

type Command = { readonly change: Change } | { readonly check: true } | { readonly help: true };

/** Parses the command and reports all faults at once. */
export function parseCommand(args: readonly string[]): Command | { readonly faults: readonly string[] } {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    return { faults: [(error as Error).message] };
  }
  const { values, positionals } = parsed;
  if (values.help) return { help: true };
  if (positionals.join(' ') === 'check') return { check: true };
  const from = evidenceStores.find((name) => name === values.from);
  const to = evidenceStores.find((name) => name === values.to);
  const megabytesPerSecond = Number(values['mb-per-second']);
  const isRate = Number.isFinite(megabytesPerSecond) && megabytesPerSecond > 0;
  const faults = [
    ...(positionals.join(' ') === 'move' ? [] : ['the commands are: move, check']),
    ...(from === undefined ? [`--from takes a store: ${evidenceStores.join(', ')}`] : []),
    ...(to === undefined ? [`--to takes a store: ${evidenceStores.join(', ')}`] : []),
    ...(from !== undefined && from === to ? ['--from and --to are the same store'] : []),
    ...(isRate ? [] : ['--mb-per-second takes a number above 0']),
  ];
  if (from === undefined || to === undefined || faults.length > 0) return { faults };
  return { change: { from, to, megabytesPerSecond } };
}

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], options, allowPositionals: true });
}
