import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type ErrorObject, errorObjectSchema } from '@rubrica/contracts/shared/errors';

export interface SlowAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
  error(): ErrorObject;
}

/** A registration whose body is sent by hand, piece by piece. */
export interface SlowBody {
  /** Resolves when the connection wants more. */
  send(piece: string | Buffer): Promise<void>;
  end(piece?: string): void;
  /** Breaks the connection off. */
  abort(): void;
  /** Rejects where the connection ends without an answer. */
  readonly answer: Promise<SlowAnswer>;
}

export function slowBody(url: string, token: string): SlowBody {
  const outgoing = request(`${url}/collector/linked-partner/request`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    agent: false,
  });
  const answer = new Promise<SlowAnswer>((resolve, reject) => {
    outgoing.once('error', reject);
    outgoing.once('response', async (response) => {
      const body = await text(response);
      resolve({
        status: response.statusCode ?? 0,
        retryAfter: response.headers['retry-after'],
        text: body,
        error: () => errorObjectSchema.parse(JSON.parse(body)),
      });
    });
  });
  answer.catch(() => undefined);
  return {
    async send(piece) {
      if (outgoing.write(piece)) return;
      await Promise.race([once(outgoing, 'drain'), answer.catch(() => undefined)]);
    },
    end: (piece = '') => void outgoing.end(piece),
    abort: () => void outgoing.destroy(),
    answer,
  };
}

/** A body up to the bytes of its first evidence: base64 goes on from here. */
export function openBody(fields: Record<string, unknown>): string {
  const { evidences: _, ...rest } = fields;
  return `${JSON.stringify(rest).slice(0, -1)},"evidences":[{"evidenceFile":"`;
}
