export {
  type AccessToken,
  type AccessTokenVerifierDeps,
  createAccessTokenVerifier,
  signAccessToken,
  tokenSigner,
  type VerifyAccessToken,
} from './access-tokens.ts';
export { type CallTokenVerifierDeps, createCallTokenVerifier, signCallToken } from './call-tokens.ts';
export { knownScopes } from './caller-claims.ts';
export { newTokenBinding } from './new-token.ts';
