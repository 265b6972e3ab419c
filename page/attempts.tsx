import { when } from './format.ts';
import { Badge, Card, Json } from './parts.tsx';
import { headersOf, listAt, textAt } from './read.ts';
import { HeaderRows } from './request.tsx';

/** The attempts to deliver an event: what was sent, and what the receiver responded. */
export function Attempts({ delivery }: { delivery: unknown }) {
  const attempts = listAt(delivery, 'attempts');
  return (
    <Card id="attempts" title="Attempts">
      <ol class="attempts">
        {attempts.map((attempt, place) => (
          <li key={place}>
            <p class="line">
              <strong>{textAt(attempt, 'attempt')}.</strong>{' '}
              <Badge status={textAt(attempt, 'status') || 'no response'} />
              {textAt(attempt, 'error') === '' ? null : <span>{textAt(attempt, 'error')}</span>}
              <span>{endOf(attempt, place === attempts.length - 1)}</span>
              <span class="none">{when(textAt(attempt, 'at'))}</span>
              <span class="none">{Number(textAt(attempt, 'duration')).toFixed(1)} ms</span>
              {textAt(attempt, 'retryAfter') === '' ? null : (
                <span class="none">Retry-After {textAt(attempt, 'retryAfter')}</span>
              )}
            </p>
            {textAt(attempt, 'responseBody') === '' ? null : <Json value={textAt(attempt, 'responseBody')} />}
            <details open={place === attempts.length - 1}>
              <summary>Sent: {headersOf(attempt, 'requestHeaders').length} headers and the body</summary>
              <HeaderRows headers={headersOf(attempt, 'requestHeaders')} />
              <Json value={textAt(attempt, 'requestBody')} />
            </details>
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** How an attempt ended: only the last one can still wait for another. */
function endOf(attempt: unknown, isLast: boolean): string {
  const outcome = textAt(attempt, 'outcome');
  if (outcome !== 'retrying') return outcome;
  return isLast ? `next attempt ${when(textAt(attempt, 'nextAttemptAt'))}` : 'sent again';
}
