import type { Row } from '../table.ts';

/** Printed rows of a section, and its recorded and compared figures. */
export interface Section {
  readonly rows: readonly Row[];
  readonly figures: readonly Figure[];
}

/** Ratio to a value measured in the same run; larger is better. */
export interface Figure {
  readonly key: FigureKey;
  /** Value in its printed form. */
  readonly value: string;
  readonly ratio: number;
}

interface KnownFigure {
  readonly what: string;
  readonly to: string;
  /** Values of other implementations in one run of all three, and ours in it: two cores, idle, 22 November 2026. */
  readonly floor?: string;
  readonly peer?: string;
  readonly oursThen?: string;
}

/**
 * Figures of the benchmark. The floor is the minimum that could work: two processes, NATS and one statement; for
 * certificates the keys alone. The peer is the same flow with NestJS, TypeORM and node-forge, without outbox, sealing,
 * validation and audit.
 */
export const knownFigures = {
  registrations: {
    what: 'registrations',
    to: 'bare Fastify, zod, pg',
    floor: '579/s',
    peer: '493/s, 0.85 of the floor',
    oursThen: '232/s, 0.40',
  },
  status: {
    what: 'status queries',
    to: 'bare Fastify, pg',
    floor: '4,565/s',
    peer: '1,625/s, 0.36 of the floor',
    oursThen: '469/s, 0.10',
  },
  certificates: {
    what: 'certificates',
    to: 'RSA-2048 keys alone',
    floor: '31.5/s',
    peer: '12.9/s, 0.41 of the keys',
    oursThen: '22.7/s, 0.72',
  },
  'register-to-webhook': {
    what: 'register to certificate webhook, p50',
    to: 'one key / p50',
    peer: '108 ms',
    oursThen: '63 ms',
  },
  memory: { what: 'resident memory, the largest', to: '110 MB / memory', peer: '117 MB', oursThen: '119 MB' },
  'cpu-status': { what: 'CPU of a status query', to: 'PBKDF2 of 100,000 / CPU', oursThen: '2.5 ms' },
  'cpu-registration': { what: 'CPU of a registration', to: 'PBKDF2 of 100,000 / CPU', oursThen: '11.0 ms' },
  'cpu-error': { what: 'CPU of an error webhook', to: 'PBKDF2 of 100,000 / CPU', oursThen: '7.8 ms' },
  'cpu-certificate': { what: 'CPU of a certificate', to: 'PBKDF2 of 100,000 / CPU', oursThen: '126 ms' },
} as const satisfies Record<string, KnownFigure>;

export type FigureKey = keyof typeof knownFigures;

/** Formats a figure beside its recorded value and the values of others. */
export function figureRow({ key, value, ratio }: Figure, recorded: number | undefined): Row {
  const { what, to, ...others }: KnownFigure = knownFigures[key];
  const names = { floor: 'floor', peer: 'peer', oursThen: 'ours' } as const;
  const then = Object.entries(names).flatMap(([name, label]) => {
    const text = others[name as keyof typeof names];
    return text === undefined ? [] : [`${label} ${text}`];
  });
  const was = recorded === undefined ? 'not kept yet' : `kept ${recorded.toFixed(3)}`;
  return { what, value, note: `ratio ${ratio.toFixed(3)} (${to}), ${was}; 22 Nov 2026: ${then.join('; ')}` };
}
