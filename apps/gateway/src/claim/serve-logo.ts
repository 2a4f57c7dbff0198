import type { FastifyInstance } from 'fastify';
import type { Limit } from '../http/rate-limits.ts';
import { isToken } from './claim-link.ts';
import type { LinkFlow } from './link-flow.ts';
import type { LinkRequest } from './send-page.ts';

export interface LogoDeps {
  readonly flow: Pick<LinkFlow, 'logo'>;
  readonly limit: Limit | undefined;
}

/** Headers of an image from a partner: it may be displayed, and nothing else. */
const headers = {
  'cache-control': 'private, max-age=3600',
  'content-security-policy': "default-src 'none'",
  'x-content-type-options': 'nosniff',
} as const;

/** Serves the partner's logo for the pages of a link; the link's token is the key here too. */
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
