import type { ApolloClient } from '@apollo/client'
import { useApolloClient } from '@apollo/client/react'
import { createContext, type ReactNode, use } from 'react'
import type { Clients } from './client.ts'

const ClientsContext = createContext<Clients | undefined>(undefined)

/** Both APIs at hand, for screens that ask another one than the application's own (`ApolloProvider` says which that is). */
export function ClientsProvider({ clients, children }: { clients: Clients; children: ReactNode }) {
  return <ClientsContext value={clients}>{children}</ClientsContext>
}

/** @param api undefined: the application's own */
export function useClientOf(api: keyof Clients | undefined): ApolloClient {
  const own = useApolloClient()
  const clients = use(ClientsContext)
  if (api === undefined) return own
  if (clients === undefined) throw new Error('useClientOf outside of ClientsProvider')
  return clients[api]
}
