export { type OpenIdPerson, type TestOpenIdProvider, testOpenIdProvider } from './provider.ts';
export { createUserAgent, signInAtProvider, type UserAgent } from './user-agent.ts';
