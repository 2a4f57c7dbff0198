import type { FastifyInstance } from 'fastify';
import type { Limit } from '../http/rate-limits.ts';
import { isToken } from './claim-link.ts';
import type { LinkFlow } from './link-flow.ts';
import type { LinkRequest } from './send-page.ts';

export interface LogoDeps {
  readonly flow: Pick<LinkFlow, 'logo'>;
  readonly limit: Limit | undefined;
}

/** A partner gave it: it may be shown, and do nothing else. */
const headers = {
  'cache-control': 'private, max-age=3600',
  'content-security-policy': "default-src 'none'",
  'x-content-type-options': 'nosniff',
} as const;

/** The partner's logo, for the pages of a link; the link's token is the key here too. */
export function serveLogo(app: FastifyInstance, { flow, limit }: LogoDeps): void {
  const options = limit === undefined ? {} : { onRequest: limit };
  for (const link of ['claim', 'renew'])
    app.get(`/${link}/:token/logo`, options, async ({ params: { token } }: LinkRequest, reply) => {
      const logo = isToken(token) ? await flow.logo(token) : null;
      if (logo === null) return reply.code(404).send();
      return reply
        .headers(headers)
        .header('content-type', logo.type)
        .send(Buffer.from(logo.base64, 'base64'));
    });
}
