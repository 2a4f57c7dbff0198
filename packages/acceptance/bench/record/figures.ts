import type { Row } from '../table.ts';

/** What a section prints, and what of it is kept and compared. */
export interface Section {
  readonly rows: readonly Row[];
  readonly figures: readonly Figure[];
}

/** A ratio to something measured in the same run; the larger, the better. */
export interface Figure {
  readonly key: FigureKey;
  /** As it is printed. */
  readonly value: string;
  readonly ratio: number;
}

interface Known {
  readonly what: string;
  readonly to: string;
  /** What others reached in one run of all three, and ours in it: two cores, quiet, 22 November 2026. */
  readonly floor?: string;
  readonly peer?: string;
  readonly oursThen?: string;
}

/**
 * The floor is the least that could work: two processes, NATS and one statement; for certificates the keys alone. The
 * peer is the same flow with NestJS, TypeORM and node-forge, without outbox, sealing, validation and audit.
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
} as const satisfies Record<string, Known>;

export type FigureKey = keyof typeof knownFigures;

/** A figure beside what was kept and what others reached. */
export function figureRow({ key, value, ratio }: Figure, kept: number | undefined): Row {
  const { what, to, ...others }: Known = knownFigures[key];
  const names = { floor: 'floor', peer: 'peer', oursThen: 'ours' } as const;
  const then = Object.entries(names).flatMap(([name, label]) => {
    const text = others[name as keyof typeof names];
    return text === undefined ? [] : [`${label} ${text}`];
  });
  const was = kept === undefined ? 'not kept yet' : `kept ${kept.toFixed(3)}`;
  return { what, value, note: `ratio ${ratio.toFixed(3)} (${to}), ${was}; 22 Nov 2026: ${then.join('; ')}` };
}
