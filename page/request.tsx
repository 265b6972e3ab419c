import { headersOf, textAt } from './api.ts';
import { Card, Json, Text } from './parts.tsx';

/** A logged request: what was sent, and what came back. */
export function RequestParts({ request }: { request: unknown }) {
  return (
    <>
      <Card id="about" title="Request">
        <dl class="fields">
          {['at', 'operation', 'requestId', 'amount', 'status', 'duration', 'fault', 'error'].map((name) =>
            textAt(request, name) === '' ? null : (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <Text>
                    {name === 'duration'
                      ? `${Number(textAt(request, name)).toFixed(1)} ms`
                      : textAt(request, name)}
                  </Text>
                </dd>
              </div>
            ),
          )}
        </dl>
      </Card>
      <Message
        title="Sent"
        headers={headersOf(request, 'headers')}
        body={textAt(request, 'body')}
        none="no body"
      />
      <Message
        title="Received"
        headers={headersOf(request, 'responseHeaders')}
        body={textAt(request, 'responseBody')}
        none={textAt(request, 'status') === '' ? 'no response left the emulator' : 'no body'}
      />
    </>
  );
}

interface MessageProps {
  title: string;
  headers: [string, string][];
  body: string;
  /** What stands where there is no body. */
  none: string;
}

function Message({ title, headers, body, none }: MessageProps) {
  return (
    <Card id={title.toLowerCase()} title={title}>
      <HeaderRows headers={headers} />
      <div class="inside">{body === '' ? <p class="none">{none}</p> : <Json value={body} />}</div>
    </Card>
  );
}

export function HeaderRows({ headers }: { headers: [string, string][] }) {
  return (
    <dl class="fields">
      {headers.map(([name, value], place) => (
        <div key={place}>
          <dt>
            <Text>{name}</Text>
          </dt>
          <dd>
            <Text>{value}</Text>
          </dd>
        </div>
      ))}
    </dl>
  );
}
