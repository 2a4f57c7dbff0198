import type { FastifyReply } from 'fastify';
import { type FormDeps, type SentForm, senderOf } from './form.ts';

/** Sends a new link to the address on file, asked for by a dead one. */
export async function answerNewLink(deps: FormDeps, { request, reply }: SentForm): Promise<FastifyReply> {
  const { token } = senderOf(request, deps);
  try {
    await deps.flow.renewLink(token);
  } catch (error) {
    return deps.show.refusal(request, reply, { error, typed: { action: 'renew' } });
  }
  return deps.show.next(request, reply, '/new-link');
}
