import type { ServerResponse } from 'node:http';

/** Answer to a call: a status, or a failure below HTTP. */
export type Answer =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | FaultName;

interface FaultKind {
  /** Text for the help. */
  readonly about: string;
  /** Text after "answered with", for the line of the call. */
  readonly shown: string;
  give(response: ServerResponse): void;
}

const dripIntervalMs = 500;

/** Every failure that is not a status. Each name is an option, and a step of `--answer`. */
export const faults = {
  hang: {
    about: 'take the call and never answer',
    shown: 'nothing: hangs',
    give() {},
  },
  drip: {
    about: 'answer 200, and then its body a byte at a time, without end',
    shown: '200 and a body without end',
    give(response) {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const timer = setInterval(() => response.write('.'), dripIntervalMs);
      response.write('.');
      response.once('close', () => clearInterval(timer));
    },
  },
  reset: {
    about: 'cut the connection instead of answering',
    shown: 'a cut connection',
    give: ({ socket }) => void socket?.resetAndDestroy(),
  },
  garbage: {
    about: 'answer with something that is not HTTP',
    shown: 'something that is not HTTP',
    give: ({ socket }) => void socket?.end('220 this is no web server\r\n\r\n'),
  },
} as const satisfies Readonly<Record<string, FaultKind>>;

export type FaultName = keyof typeof faults;

export const faultNames = Object.keys(faults) as FaultName[];

export function give(answer: Answer, response: ServerResponse): void {
  if (typeof answer === 'string') faults[answer].give(response);
  else response.writeHead(answer.status, answer.headers).end();
}

/** Describes an answer for a person: `500`, `503, retry-after: 5`, `a cut connection`. */
export function describeAnswer(answer: Answer): string {
  if (typeof answer === 'string') return faults[answer].shown;
  const headers = Object.entries(answer.headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  return [answer.status, ...headers].join(', ');
}
