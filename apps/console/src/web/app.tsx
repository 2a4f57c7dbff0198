import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, StrictMode, Suspense } from 'react';
import { LiveProvider } from './client/live/live.tsx';
import { createQueries } from './client/queries.ts';
import { type SessionAnswer, SessionProvider, useSessionAnswer } from './client/session.tsx';
import { KeysProvider } from './parts/keys.tsx';
import { Failed, Loading } from './parts/states.tsx';
import { Toasts } from './parts/toasts.tsx';
import { router } from './router.tsx';
import { PreferencesProvider } from './texts/preferences.tsx';

const SignInPage = lazy(() => import('./pages/sign-in/sign-in-page.tsx'));
const EnrolmentPage = lazy(() => import('./pages/enrolment/enrolment-page.tsx'));
const InvitationPage = lazy(() => import('./pages/invitation/invitation-page.tsx'));
const queries = createQueries();

export function App() {
  return (
    <StrictMode>
      <QueryClientProvider client={queries}>
        <Door />
      </QueryClientProvider>
    </StrictMode>
  );
}

/** The pages for who is signed in, at every address; else the sign-in, which leads to that address. */
function Door() {
  const { data, error, refetch } = useSessionAnswer();
  return (
    <PreferencesProvider timeZone={data?.timeZone ?? 'America/Guayaquil'}>
      <KeysProvider>
        <Suspense fallback={<Loading />}>
          {data === undefined && error !== null && <Failed error={error} onRetry={() => void refetch()} />}
          {data !== undefined && <Inside answer={data} />}
        </Suspense>
        <Toasts />
      </KeysProvider>
    </PreferencesProvider>
  );
}

/** Named in the e-mails that intake sends. */
const invitationPath = '/invitation';

function Inside({ answer }: { readonly answer: SessionAnswer }) {
  // Whoever is signed in: the link is for an account of its own.
  if (location.pathname === invitationPath) return <InvitationPage />;
  if (!answer.signedIn) return <SignInPage />;
  return (
    <SessionProvider session={answer}>
      {answer.scope === 'enrolment' ? (
        <EnrolmentPage />
      ) : (
        <LiveProvider>
          <RouterProvider router={router} />
        </LiveProvider>
      )}
    </SessionProvider>
  );
}
