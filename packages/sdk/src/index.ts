export type * from './api.ts';
export { sandboxPeople } from './api.ts';
export type { PrivateKey } from './assertion.ts';
export type { Recovered } from './calls.ts';
export { createRubrica, type Rubrica } from './create-rubrica.ts';
export { type ErrorDetail, RubricaError, type RubricaErrorCode } from './errors.ts';
export type { FileContent } from './files.ts';
export type { Batched, ManyOptions } from './many/register-many.ts';
export type { CallOptions, Credentials, RubricaOptions, WaitOptions } from './options.ts';
export type { IdentifierName, WebhookEvent } from './webhooks/parse-webhook-event.ts';
export {
  verifyWebhook,
  type WebhookCall,
  WebhookError,
  type WebhookFault,
} from './webhooks/verify-webhook.ts';
