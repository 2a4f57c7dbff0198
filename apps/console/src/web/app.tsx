import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, StrictMode, Suspense } from 'react';
import { LiveProvider } from './client/live/live.tsx';
import { createQueryClient } from './client/queries.ts';
import { type SessionAnswer, SessionProvider, useSessionAnswer } from './client/session.tsx';
import { KeysProvider } from './parts/keys.tsx';
import { Failed, Loading } from './parts/query-result.tsx';
import { Toasts } from './parts/toasts.tsx';
import { router } from './router.tsx';
import { PreferencesProvider } from './texts/preferences.tsx';

const SignInPage = lazy(() => import('./pages/sign-in/sign-in-page.tsx'));
const EnrolmentPage = lazy(() => import('./pages/enrolment/enrolment-page.tsx'));
const InvitationPage = lazy(() => import('./pages/invitation/invitation-page.tsx'));
const queries = createQueryClient();

export function App() {
  return (
    <StrictMode>
      <QueryClientProvider client={queries}>
        <SessionGate />
      </QueryClientProvider>
    </StrictMode>
  );
}

/** Renders the pages for a signed-in operator at every address; otherwise the sign-in, which leads to that address. */
function SessionGate() {
  const { data, error, refetch } = useSessionAnswer();
  return (
    <PreferencesProvider timeZone={data?.timeZone ?? 'America/Guayaquil'}>
      <KeysProvider>
        <Suspense fallback={<Loading />}>
          {data === undefined && error !== null && <Failed error={error} onRetry={() => void refetch()} />}
          {data !== undefined && <SessionContent answer={data} />}
        </Suspense>
        <Toasts />
      </KeysProvider>
    </PreferencesProvider>
  );
}

/** Path in the e-mails that intake sends. */
const invitationPath = '/invitation';

function SessionContent({ answer }: { readonly answer: SessionAnswer }) {
  // Shown to any operator: the link is for a separate account.
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
