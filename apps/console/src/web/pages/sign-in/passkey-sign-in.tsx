import { ChallengeRefused, verifySignInChallenge } from '@rubrica/contracts/shared/approval-challenge';
import { browserSupportsWebAuthn, startAuthentication, WebAuthnError } from '@simplewebauthn/browser';
import { useMutation } from '@tanstack/react-query';
import { callProcedure } from '../../client/trpc.ts';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/query-result.tsx';
import { useFailureText } from '../../texts/failures.ts';
import { createBilingual, useTexts } from '../../texts/texts.ts';

const texts = createBilingual({
  en: {
    passkey: 'With a passkey',
    cancelled: 'The browser gave no passkey. Try again, or use the password.',
    diverted:
      'Nothing was signed. What your passkey was asked to sign was not for a sign-in. Tell whoever runs this system: the gateway may be compromised.',
  },
  es: {
    passkey: 'Con una llave de acceso',
    cancelled: 'El navegador no dio ninguna llave. Intente de nuevo o use la contraseña.',
    diverted:
      'No se firmó nada. Lo que su llave de acceso debía firmar no era un inicio de sesión. Avise a quien opera este sistema: la pasarela puede estar comprometida.',
  },
});

/** Signs in with any passkey of this origin; the passkey identifies the operator. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn(): Promise<void> }) {
  const t = useTexts(texts);
  const failureText = useFailureText();
  const signIn = useMutation({
    mutationFn: async () => {
      const { options } = await callProcedure('auth.passkeyOptions', {});
      verifySignInChallenge(options.challenge);
      const response = await startAuthentication({ optionsJSON: options });
      return callProcedure('auth.passkeySignIn', { response });
    },
    onSuccess: onSignedIn,
  });
  const textFor = (error: Error) => {
    if (error instanceof ChallengeRefused) return t.diverted;
    const isBrowsers = error instanceof WebAuthnError || error instanceof DOMException;
    return isBrowsers ? t.cancelled : failureText(error);
  };
  if (!browserSupportsWebAuthn()) return null;
  return (
    <>
      {signIn.isError && <Notice tone="bad">{textFor(signIn.error)}</Notice>}
      <Button onClick={() => signIn.mutate()} aria-disabled={signIn.isPending}>
        {t.passkey}
      </Button>
    </>
  );
}
