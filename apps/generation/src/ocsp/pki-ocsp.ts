import type { UseCase } from '@rubrica/wiring';
import type { AnswerOcsp } from './answer-ocsp.ts';

/** Answers an OCSP request that came over HTTP. Public, like everything that is needed to check a signature. */
export function createPkiOcsp({
  answerOcsp,
}: {
  readonly answerOcsp: AnswerOcsp;
}): UseCase<'generation', 'pki.ocsp'> {
  return ({ request }) => answerOcsp(Buffer.from(request, 'base64'));
}
