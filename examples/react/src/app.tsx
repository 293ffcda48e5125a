import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ClientError } from "@lamplight/client";
import { type FormEvent, useState } from "react";
import { assetOf, nftsOf } from "./assets.ts";

export const App = () => {
  const [owner, setOwner] = useState(new URLSearchParams(location.search).get("owner") ?? "");
  const [chosen, setChosen] = useState<string | null>(null);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setChosen(null);
    setOwner(String(new FormData(event.currentTarget).get("owner")).trim());
  };
  return (
    <main>
      <h1>A wallet's NFTs</h1>
      <form onSubmit={submit}>
        <label>
          Wallet <input name="owner" defaultValue={owner} size={46} />
        </label>
        <button type="submit">Show</button>
      </form>
      {owner !== "" && <Nfts owner={owner} choose={setChosen} />}
      {chosen !== null && <Details id={chosen} />}
    </main>
  );
};

const Nfts = ({ owner, choose }: { owner: string; choose: (id: string) => void }) => {
  const { data, error, fetchNextPage, hasNextPage, isFetching } = useInfiniteQuery(nftsOf(owner));
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <p>Loading …</p>;
  const items = data.pages.flatMap((page) => page.items);
  return (
    <section>
      <p role="status">
        {items.length} of {data.pages[0]!.total}
      </p>
      <ul>
        {items.map(({ id, content }) => (
          <li key={id}>
            <button type="button" onClick={() => choose(id)}>
              {content.metadata.name || id}
            </button>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <button type="button" disabled={isFetching} onClick={() => void fetchNextPage()}>
          More
        </button>
      )}
    </section>
  );
};

const Details = ({ id }: { id: string }) => {
  const { data, error } = useQuery(assetOf(id));
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <p>Loading …</p>;
  const { metadata, links } = data.content;
  return (
    <article>
      <h2>{metadata.name}</h2>
      {links.image !== undefined && <img src={links.image} alt="" width={200} referrerPolicy="no-referrer" />}
      <p>{metadata.description}</p>
      <dl>
        {metadata.attributes?.map(({ trait_type: trait, value }) => (
          <div key={trait}>
            <dt>{trait}</dt>
            <dd>{String(value)}</dd>
          </div>
        ))}
      </dl>
      <pre>{JSON.stringify(data, null, 2)}</pre>
    </article>
  );
};

const Failure = ({ error }: { error: Error }) => (
  <p role="alert">
    {error.message}
    {error instanceof ClientError && error.hint !== undefined && !error.message.includes(error.hint) && (
      <> ({error.hint})</>
    )}
  </p>
);
