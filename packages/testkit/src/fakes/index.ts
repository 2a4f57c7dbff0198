export { type FakeAdministrators, fakeAdministrators } from './fake-administrators.ts';
export { fakeClient } from './fake-client.ts';
export { fakeHandlers, serveFake } from './fake-service.ts';
export { type FakeCaller, identifyFakeCaller, signFakeToken } from './fake-tokens.ts';
