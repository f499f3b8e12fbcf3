// Exports all contacts, each once, also when connections break off.
//
//	HUB=https://hub.example KEY=... go run export.go > contacts.ndjson
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"
)

// export calls a function with each contact and its values. Filters, sorts and search can be added to the address.
func export(hub, key string, each func(contact map[string]any)) error {
	after := ""
	for {
		request, err := http.NewRequest("GET", hub+"/api/public/v1/contacts/export?page[after]="+after, nil)
		if err != nil {
			return err
		}
		request.Header.Set("Authorization", "Bearer "+key)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		if answer.StatusCode != 200 {
			answer.Body.Close()
			if answer.StatusCode != 429 && answer.StatusCode < 500 {
				return fmt.Errorf("the export was answered with %s", answer.Status)
			}
			seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
			time.Sleep(time.Duration(seconds+1) * time.Second)
			continue
		}
		lines := json.NewDecoder(answer.Body)
		lines.UseNumber()
		for err == nil {
			var contact map[string]any
			if err = lines.Decode(&contact); err == nil {
				after = contact["_cursor"].(string)
				delete(contact, "_cursor")
				each(contact)
			}
		}
		answer.Body.Close()
		if err == io.EOF {
			return nil
		}
		time.Sleep(time.Second) // It broke off. The export goes on after the last whole line.
	}
}

func main() {
	lines := json.NewEncoder(os.Stdout)
	err := export(os.Getenv("HUB"), os.Getenv("KEY"), func(contact map[string]any) { lines.Encode(contact) })
	if err != nil {
		log.Fatal(err)
	}
}
