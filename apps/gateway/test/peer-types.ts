import type { GenerationServiceRouter } from '@rubrica/generation/routers';
import type { IntakeServiceRouter } from '@rubrica/intake/routers';
import type { TermsServiceRouter } from '@rubrica/terms/routers';
import type { TRPCClient } from '@trpc/client';
import type {
  ClaimsClient,
  GenerationClient,
  IntakeClient,
  ReviewsClient,
  SignatureClient,
  TermsClient,
} from '../src/peers/clients.ts';

// Nothing runs here: the type check fails when a service no longer answers what the gateway asks of it.
type Answers<Real extends Wanted, Wanted> = Real;

export type PeersAnswer = [
  Answers<TRPCClient<IntakeServiceRouter>, IntakeClient & SignatureClient & ClaimsClient & ReviewsClient>,
  Answers<TRPCClient<GenerationServiceRouter>, GenerationClient>,
  Answers<TRPCClient<TermsServiceRouter>, TermsClient>,
];
