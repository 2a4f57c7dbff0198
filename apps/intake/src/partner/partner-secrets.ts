import { randomBytes } from 'node:crypto';

const random = (bytes: number): Buffer => randomBytes(bytes);

/** 256 random bits: what is stored of it, its SHA-256, tells nothing. */
export const makeClientSecret = (): string => random(32).toString('base64url');

/** Standard Webhooks: `whsec_` and base64 of 24 to 64 bytes. */
export const makeWebhookSecret = (): string => `whsec_${random(32).toString('base64')}`;

export const makeApiToken = (): string => `rbk_${random(32).toString('base64url')}`;

export const makeClientId = (): string => `rb-${random(9).toString('base64url')}`;
