import { headersOf, send, textAt } from './api.ts';
import { copyText, curlOf, typescriptOf } from './copy.ts';
import { openRecord } from './open-record.ts';
import { Button, Card, Json, Linked, Text } from './parts.tsx';

/** The text that stands for a secret. */
const MASK = '••••••';

/** What can be done with a request: copy it, or send it again. */
export function RequestActions({ request }: { request: unknown }) {
  const copy = (what: string, text: string) => async () => {
    await copyText(text);
    return `Copied ${what}${text.includes(MASK) ? `; replace ${MASK} by the secret` : ''}`;
  };
  const again = async () => {
    const sent = await send('POST', `/requests/${textAt(request, 'id')}/send`);
    openRecord('requests', textAt(sent, 'request.id'));
    return `Sent again: ${textAt(sent, 'request.status') || 'no response'}`;
  };
  return (
    <div class="act">
      <Button command={copy('the curl command', curlOf(request))}>Copy as curl</Button>
      <Button command={copy('the TypeScript', typescriptOf(request))}>Copy as TypeScript</Button>
      {textAt(request, 'path').startsWith('/_emulator') ? null : (
        <Button kind="main" command={again}>
          Send again
        </Button>
      )}
    </div>
  );
}

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
                  <Linked>
                    {name === 'duration'
                      ? `${Number(textAt(request, name)).toFixed(1)} ms`
                      : textAt(request, name)}
                  </Linked>
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
